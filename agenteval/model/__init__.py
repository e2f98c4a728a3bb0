"""Values of the domain: frozen, typed, without any I/O."""
