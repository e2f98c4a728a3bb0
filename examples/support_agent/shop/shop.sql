-- The shop as the agent finds it. Today is 2026-11-30.
CREATE TABLE customers (email TEXT PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE products (name TEXT PRIMARY KEY, price REAL NOT NULL, final_sale INTEGER NOT NULL DEFAULT 0);
CREATE TABLE stock (product TEXT NOT NULL REFERENCES products, colour TEXT NOT NULL, units INTEGER NOT NULL, PRIMARY KEY (product, colour));
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  email TEXT NOT NULL REFERENCES customers,
  product TEXT NOT NULL REFERENCES products,
  quantity INTEGER NOT NULL,
  paid REAL NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('processing', 'shipped', 'delivered', 'cancelled', 'refunded')),
  ordered_on TEXT NOT NULL,
  delivered_on TEXT,
  due_on TEXT,
  carrier TEXT
);
CREATE TABLE refunds (order_id INTEGER PRIMARY KEY REFERENCES orders, amount REAL NOT NULL);
CREATE TABLE tickets (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders, reason TEXT NOT NULL);
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);

INSERT INTO facts VALUES ('today', '2026-11-30'), ('return_window_days', '30'), ('refund_limit', '200');
INSERT INTO customers VALUES
  ('mara@example.com', 'Mara Lind'), ('jon@example.com', 'Jon Okafor'), ('priya@example.com', 'Priya Nair'), ('tomas@example.com', 'Tomas Weber');
INSERT INTO products VALUES
  ('kettle', 64.00, 0), ('blanket', 89.50, 0), ('headphones', 129.00, 0), ('lamp', 39.90, 0), ('desk', 420.00, 0), ('gift card', 50.00, 1);
INSERT INTO stock VALUES
  ('kettle', 'copper', 12), ('kettle', 'black', 7), ('kettle', 'white', 0),
  ('blanket', 'grey', 5), ('blanket', 'red', 9), ('headphones', 'black', 23), ('lamp', 'brass', 4), ('desk', 'oak', 2), ('gift card', 'paper', 500);
INSERT INTO orders VALUES
  (1001, 'mara@example.com', 'kettle', 1, 64.00, 'delivered', '2026-11-17', '2026-11-20', '2026-11-20', 'Northpost'),
  (1002, 'mara@example.com', 'blanket', 2, 179.00, 'delivered', '2026-09-27', '2026-10-01', '2026-10-01', 'Northpost'),
  (1003, 'jon@example.com', 'headphones', 1, 129.00, 'delivered', '2026-10-18', '2026-10-21', '2026-10-21', 'Skyline'),
  (1004, 'jon@example.com', 'lamp', 1, 39.90, 'shipped', '2026-11-27', NULL, '2026-12-03', 'Northpost'),
  (1005, 'priya@example.com', 'desk', 1, 420.00, 'delivered', '2026-11-16', '2026-11-25', '2026-11-25', 'Skyline'),
  (1006, 'priya@example.com', 'gift card', 1, 50.00, 'delivered', '2026-11-28', '2026-11-28', '2026-11-28', 'Northpost'),
  (1007, 'tomas@example.com', 'kettle', 1, 64.00, 'processing', '2026-11-30', NULL, '2026-12-05', NULL),
  (1008, 'tomas@example.com', 'blanket', 1, 89.50, 'delivered', '2026-10-28', '2026-10-31', '2026-10-31', 'Skyline'),
  (1009, 'mara@example.com', 'lamp', 1, 39.90, 'cancelled', '2026-11-02', NULL, NULL, NULL),
  (1010, 'tomas@example.com', 'headphones', 1, 129.00, 'refunded', '2026-11-06', '2026-11-10', '2026-11-10', 'Northpost');
INSERT INTO refunds VALUES (1010, 129.00);
