import json
import sqlite3
import sys

TABLES = {
    "DEBTOR_CHANGED": "debtors",
    "DECLARATION_LINE_CHANGED": "declaration_lines",
    "CREDIT_CASE_DELETED": "credit_cases",
    "PAYMENT_DELETED": "payments",
}
stream = sys.argv[1]

db = sqlite3.connect("copy.db")
db.execute("PRAGMA journal_mode = WAL")
db.execute("PRAGMA synchronous = NORMAL")
for table in TABLES.values():
    db.execute(f"CREATE TABLE IF NOT EXISTS {table} (id TEXT PRIMARY KEY, record TEXT)")
db.execute("CREATE TABLE IF NOT EXISTS cursors (stream TEXT PRIMARY KEY, cursor TEXT)")

if "--cursor" in sys.argv:
    print(*db.execute("SELECT cursor FROM cursors WHERE stream = ?", [stream]).fetchone() or [])
    sys.exit()

for line in sys.stdin:
    if not line.endswith("\n"):
        break  # Incomplete: it will be sent again.
    change = json.loads(line)
    table, record = TABLES[change["kind"]], change["record"]
    with db:  # A transaction: saves both the record and the cursor, or neither.
        if change["kind"].endswith("_DELETED"):
            db.execute(f"DELETE FROM {table} WHERE id = ?", [record["internalId"]])
        else:
            row = [record["internalId"], json.dumps(record)]
            db.execute(f"INSERT OR REPLACE INTO {table} VALUES (?, ?)", row)
        db.execute("INSERT OR REPLACE INTO cursors VALUES (?, ?)", [stream, change["cursor"]])
