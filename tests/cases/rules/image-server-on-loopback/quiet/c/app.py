import os, uvicorn
uvicorn.run(app, host=os.environ.get("HOST", "0.0.0.0"))
client.get("http://127.0.0.1:9000")
