"""Who does not know the token, asks from elsewhere or wants to write is told nothing."""

import pytest

from explorer.grounds import TOKEN
from explorer.reading import Read

SECRETS = ("knn", "preds", "script", TOKEN)


def refused(response, status):
    assert response.status_code == status
    assert response.headers["cache-control"] == "no-store"
    assert not any(secret in response.text for secret in SECRETS)
    return True


@pytest.mark.parametrize(
    "path",
    ["/", "/static/explorer.css", "/row/0", "/export.csv", "/favicon.ico", f"/{TOKEN}x/", f"/{TOKEN[:-1]}/", f"/{TOKEN.upper()}/",
     f"//{TOKEN}/", f"/x/{TOKEN}/", f"/?token={TOKEN}", "/é/", "/" + "a" * 5000],
)  # fmt: skip
def test_without_the_token_nothing_is_said(client, path):
    assert refused(client.get(path), 403)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "evil.example:80", "", "127.0.0.1:81", "10.0.0.1"])  # fmt: skip
def test_a_foreign_host_is_refused_with_the_right_token(client, host):
    assert refused(client.get(f"/{TOKEN}/", headers={"host": host}), 400)


def test_both_loopback_names_are_known(client):
    assert client.get(f"/{TOKEN}/", headers={"host": "localhost"}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [{"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"origin": "https://evil.example"}, {"origin": "null"},
     {"origin": "http://127.0.0.1:81"}],
)  # fmt: skip
def test_another_site_is_refused_with_the_right_token(client, headers):
    for where in ("", "export.csv", "row/1", "static/explorer.js"):
        assert refused(client.get(f"/{TOKEN}/{where}", headers=headers), 403)


@pytest.mark.parametrize(
    "headers", [{"sec-fetch-site": "none"}, {"sec-fetch-site": "same-origin", "origin": "http://127.0.0.1"}]
)
def test_the_explorers_own_pages_are_let_in(client, headers):
    assert client.get(f"/{TOKEN}/", headers=headers).status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_nothing_but_reading_is_possible(client, method):
    assert refused(client.request(method, f"/{TOKEN}/"), 405)


def test_web_sockets_are_closed(client):
    from starlette.websockets import WebSocketDisconnect

    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"/{TOKEN}/"):
        pass


@pytest.mark.parametrize("where", ["", "row/1", "row/99999", "row/x", "nowhere", "static/explorer.css", "static/../app.py", "export.csv", "export.xls", "?true=fish"])  # fmt: skip
def test_every_answer_carries_the_policy(client, where):
    response = client.get(f"/{TOKEN}/{where}")
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "set-cookie" not in response.headers


@pytest.mark.parametrize("where", ["", "row/1", "row/99999", "?true=fish"])
def test_pages_hold_no_script_of_their_own_and_load_nothing_from_elsewhere(client, where):
    read = Read(client.get(f"/{TOKEN}/{where}").text)
    assert not "".join(read.scripts).strip()
    for tag, given in read.tags:
        assert not any(name.startswith("on") or name == "style" for name in given), (tag, given)
        for name in ("href", "src", "action"):
            assert given.get(name, "/").startswith(("/", "#"))


def test_the_token_is_compared_in_constant_time(client, monkeypatch):
    import hmac

    seen = []
    real = hmac.compare_digest
    monkeypatch.setattr("tiebreak.explorer.guard.hmac.compare_digest", lambda a, b: seen.append((a, b)) or real(a, b))
    client.get("/guess/")
    assert seen == [(b"guess", TOKEN.encode())]


def test_a_bug_gives_nothing_away(client, monkeypatch):
    def broken(*_):
        raise RuntimeError("a secret detail")

    monkeypatch.setattr("tiebreak.explorer.pages.Pages.listing", broken)
    response = client.page()
    assert response.status_code == 500
    assert "secret" not in response.text
    assert "Traceback" not in response.text
    assert "RuntimeError" in response.text
