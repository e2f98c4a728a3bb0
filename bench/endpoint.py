"""A chat endpoint that answers at once with the same verdict, in a process of its own: `python bench/endpoint.py` prints its URL."""

from __future__ import annotations

import asyncio
import json

REPLY = {
    "id": "r",
    "object": "chat.completion",
    "created": 1,
    "model": "judge",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": '{"reason": "fine", "passed": true}'}}],
    "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
}
BODY = json.dumps(REPLY).encode()
RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + str(len(BODY)).encode() + b"\r\n\r\n" + BODY


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Every request of one connection."""
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))
            await reader.readexactly(length)
            writer.write(RESPONSE)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def main() -> None:
    """Listen until the process is ended."""
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(json.dumps({"url": f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"}), flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
