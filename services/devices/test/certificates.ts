import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Makes what identifies listeners: a certificate of localhost with its key, and a host key of SSH, as files of the
 * folder.
 */
export async function certificatesIn(folder: string) {
  const [certFile, keyFile, hostKeyFile] = ['cert.pem', 'key.pem', 'host'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  await run('openssl', ['req', '-x509', ...ec, '-nodes', '-days', '2', '-keyout', keyFile, '-out', certFile, ...names]);
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', hostKeyFile]);
  return { certFile, keyFile, hostKeyFile };
}
