import base64
import json
import urllib.error
import urllib.request

URL = "http://localhost:4000/graphql"

REFRESH = """mutation Refresh($refreshToken: String!) {
  refreshAccessToken(input: { refreshToken: $refreshToken }) { token { accessToken refreshToken } }
}"""


def send(authorization, query, variables):
    body = json.dumps({"query": query, "variables": variables}).encode()
    headers = {"Content-Type": "application/json", "Authorization": authorization}
    try:
        with urllib.request.urlopen(urllib.request.Request(URL, body, headers)) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        return json.load(error)  # The body has the error code.


class Gateway:
    def __init__(self, access_token, refresh_token=None, client_id="", client_secret="", store=lambda token: None):
        self.access_token, self.refresh_token, self.store = access_token, refresh_token, store
        self.application = base64.b64encode(f"{client_id}:{client_secret}".encode()).decode()

    def query(self, query, **variables):
        result = send("Bearer " + self.access_token, query, variables)
        codes = [error["extensions"]["code"] for error in result.get("errors", [])]
        if "UNAUTHENTICATED" in codes and self.refresh_token:
            self.refresh()
            result = send("Bearer " + self.access_token, query, variables)
        return result  # Check both: it can have "data" and "errors".

    def refresh(self):
        result = send("Basic " + self.application, REFRESH, {"refreshToken": self.refresh_token})
        if result.get("errors"):
            raise RuntimeError(result["errors"][0]["message"])
        token = result["data"]["refreshAccessToken"]["token"]
        self.store(token)  # First store it: the old refresh token works only once.
        self.access_token, self.refresh_token = token["accessToken"], token["refreshToken"]
