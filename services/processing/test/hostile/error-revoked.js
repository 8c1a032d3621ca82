// A revoked proxy as an error.
// ends: .
var r = Proxy.revocable({}, {}); r.revoke(); throw r.proxy
