// A proxy that was revoked.
// ends: .
var r = Proxy.revocable({}, {}); r.revoke(); return r.proxy
