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
        return json.load(error)  # A refusal has its code in the body.


class Gateway:
    def __init__(self, access_token, refresh_token=None, client_id="", client_secret="", store=lambda token: None):
        self.access_token, self.refresh_token, self.store = access_token, refresh_token, store
        self.application = base64.b64encode(f"{client_id}:{client_secret}".encode()).decode()

    def query(self, query, **variables):
        answer = send("Bearer " + self.access_token, query, variables)
        codes = [error["extensions"]["code"] for error in answer.get("errors", [])]
        if "UNAUTHENTICATED" in codes and self.refresh_token:
            self.refresh()
            answer = send("Bearer " + self.access_token, query, variables)
        return answer  # Look at both: "data" may be there beside "errors".

    def refresh(self):
        answer = send("Basic " + self.application, REFRESH, {"refreshToken": self.refresh_token})
        if answer.get("errors"):
            raise RuntimeError(answer["errors"][0]["message"])
        token = answer["data"]["refreshAccessToken"]["token"]
        self.store(token)  # Before it is used: the old refresh token is spent.
        self.access_token, self.refresh_token = token["accessToken"], token["refreshToken"]
