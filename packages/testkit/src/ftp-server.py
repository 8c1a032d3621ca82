"""A server of pyftpdlib for one user; its arguments: port, folder, user, password, mode, PEM file of the certificate."""
import sys

from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import FTPHandler, TLS_FTPHandler
from pyftpdlib.servers import FTPServer

port, folder, user, password, mode, certificate = sys.argv[1:]
authorizer = DummyAuthorizer()
authorizer.add_user(user, password, folder, perm="elrd")


class Implicit(TLS_FTPHandler):
    """TLS from the first byte, and on data connections unasked."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._prot = True
        self._pbsz = True

    def handle(self):
        self.secure_connection(self.ssl_context)

    def handle_ssl_established(self):
        TLS_FTPHandler.handle(self)

    def ftp_AUTH(self, arg):
        self.respond("550 not supposed to be used")


handler = {"FTP": FTPHandler, "FTPS_EXPLICIT": TLS_FTPHandler, "FTPS_IMPLICIT": Implicit}[mode]
handler.authorizer = authorizer
handler.use_sendfile = False
if mode != "FTP":
    handler.certfile = certificate
    handler.tls_control_required = mode == "FTPS_EXPLICIT"
    handler.tls_data_required = mode == "FTPS_EXPLICIT"
FTPServer(("127.0.0.1", int(port)), handler).serve_forever()
