import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { folderMailer, smtpMailer } from './mailer.ts'
import { type ReceivedMail, startMailServer } from './test-mail-server.ts'

const FROM = 'Roadshow <no-reply@example.com>'
const mail = {
  kind: 'forgot-password',
  to: 'ann@example.com',
  subject: 'Set a new password for Größe & Söhne 🚚',
  text: 'Hello Ann,\n\nset it here: http://localhost:3000/forgot-password?token=abc\n\n.\n\nBye',
}

async function openMailServer(options: { refuse?: boolean } = {}) {
  const server = await startMailServer(options)
  afterAll(() => server.stop())
  return server
}

const textOf = (message: string) => {
  const body = message.slice(message.indexOf('\r\n\r\n') + 4)
  const quoted = /quoted-printable/i.test(message) ? body.replace(/=\r\n/g, '').replace(/=3D/g, '=') : body
  return quoted.replace(/\r\n/g, '\n').trim()
}

test('a mail goes out by SMTP to the one it is for, with its text whole', async () => {
  const { port, received } = await openMailServer()
  await smtpMailer(`smtp://127.0.0.1:${port}`, FROM).send(mail)
  expect(received).toHaveLength(1)
  expect(received[0]).toMatchObject({ from: 'no-reply@example.com', to: ['ann@example.com'] })
  const { message } = received[0] as ReceivedMail
  expect(message).toMatch(/^From: Roadshow <no-reply@example\.com>\r$/m)
  expect(message).toMatch(/^To: ann@example\.com\r$/m)
  expect(textOf(message)).toBe(mail.text)
})

test('the user and password of the SMTP setting are used', async () => {
  const { port, received } = await openMailServer()
  await smtpMailer(`smtp://roadshow:secret@127.0.0.1:${port}`, FROM).send(mail)
  expect(received[0]?.user).toBe('roadshow')
  await expect(smtpMailer(`smtp://roadshow:wrong@127.0.0.1:${port}`, FROM).send(mail)).rejects.toThrow('Invalid login')
  expect(received).toHaveLength(1)
})

test('a mail that the server refuses is not taken for sent', async () => {
  const { port } = await openMailServer({ refuse: true })
  await expect(smtpMailer(`smtp://127.0.0.1:${port}`, FROM).send(mail)).rejects.toThrow('no such mailbox')
})

test('a line break in a subject starts no header of its own', async () => {
  const { port, received } = await openMailServer()
  await smtpMailer(`smtp://127.0.0.1:${port}`, FROM).send({ ...mail, subject: 'Hello\r\nBcc: thief@example.com' })
  expect(received[0]?.to).toEqual(['ann@example.com'])
  expect(received[0]?.message).not.toMatch(/^Bcc:/im)
})

test('without SMTP a mail becomes a file that only its owner reads, and the log names it', async () => {
  const root = await mkdtemp(path.join(os.tmpdir(), 'roadshow-mail-'))
  afterAll(() => rm(root, { recursive: true }))
  const folder = path.join(root, 'data', 'mail')
  const said: string[] = []
  const mailer = folderMailer(folder, FROM, (sentence) => said.push(sentence))
  await mailer.send(mail)
  await mailer.send({ ...mail, to: '../../../etc/passwd "x"@example.com' })

  const names = await readdir(folder)
  expect(names).toHaveLength(2)
  const name = names.find((one) => /^\d{4}-\d\d-\d\dT[\d-]+Z_forgot-password_ann@example\.com\.eml$/.test(one)) ?? ''
  const file = path.join(folder, name)
  expect(said).toHaveLength(2)
  expect(said[0]).toBe(`A mail to ann@example.com was written to ${file}`)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect(textOf(await readFile(file, 'utf8'))).toBe(mail.text)
})
