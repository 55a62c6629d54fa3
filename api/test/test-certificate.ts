import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A certificate authority of one's own in a folder, and a certificate for the host `localhost` that it signed. */
export async function makeCertificate(
  folder: string,
): Promise<{ authority: string; certificate: string; key: string }> {
  const at = (name: string) => path.join(folder, name)
  const openssl = async (args: string[]) => {
    await run('openssl', args).catch((error: Error) => {
      throw new Error(`This test needs the program openssl (package "openssl"): ${error.message}`)
    })
  }
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const [authority, authorityKey] = [at('ca.crt'), at('ca.key')]
  await openssl([
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    authorityKey,
    '-out',
    authority,
    '-days',
    '2',
    '-subj',
    '/CN=Test CA',
  ])
  const [request, certificate, key] = [at('server.csr'), at('server.crt'), at('server.key')]
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  await openssl(['req', ...newKey, '-keyout', key, '-out', request, ...names])
  const signed = ['-CA', authority, '-CAkey', authorityKey, '-CAcreateserial', '-copy_extensions', 'copy', '-days', '2']
  await openssl(['x509', '-req', '-in', request, ...signed, '-out', certificate])
  return { authority, certificate, key }
}
