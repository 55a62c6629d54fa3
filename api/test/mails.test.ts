import type { Language } from '@roadshow/contract'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import * as factors from '../src/accounts/second-factors/mails.ts'
import * as signIn from '../src/accounts/sign-in/mails.ts'
import { invitationMail } from '../src/catalog/users/mails.ts'
import type { Mail } from '../src/platform/mail/mailer.ts'

const NAME = '<b>Ann</b> "O\'Hara" & Söhne'
const ann = { email: 'ann@example.com', name: NAME }
const link = 'https://roadshow.example/forgot-password?token=abc&kind=1'
const words = { brand: 'Roadshow', provider: 'Acme' }
const server = { brandName: 'Roadshow', publicUrl: 'https://roadshow.example' }
const singleSignOn = { name: 'Acme' }

function mailsIn(language: Language) {
  const reader = { ...ann, language }
  const invitation = { ...reader, by: NAME, link }
  return {
    reset: signIn.passwordResetMail(reader, 'Roadshow', link),
    changed: signIn.passwordChangedMail(reader, { brand: 'Roadshow', url: link }),
    confirm: signIn.confirmSignInMail(reader, words, { link, minutes: 30 }),
    linked: signIn.signInLinkedMail(reader, words),
    appAdded: factors.factorAddedMail(reader, 'Roadshow', { kind: 'codeApp' }),
    passkeyAdded: factors.factorAddedMail(reader, 'Roadshow', { kind: 'passkey', name: NAME }),
    appRemoved: factors.factorRemovedMail(reader, 'Roadshow', { kind: 'codeApp' }),
    passkeyRemoved: factors.factorRemovedMail(reader, 'Roadshow', { kind: 'passkey', name: NAME }),
    onePasskeyRemoved: factors.factorRemovedMail(reader, 'Roadshow', { kind: 'passkey' }),
    codesRemoved: factors.factorRemovedMail(reader, 'Roadshow', { kind: 'recoveryCodes' }),
    codes: factors.recoveryCodesMail(reader, 'Roadshow'),
    lastCodeUsed: factors.recoveryCodeUsedMail(reader, 'Roadshow', 0),
    codeUsed: factors.recoveryCodeUsedMail(reader, 'Roadshow', 1),
    codesUsed: factors.recoveryCodeUsedMail(reader, 'Roadshow', 2),
    factorsReset: factors.factorsResetMail(reader, 'Roadshow', NAME),
    invitation: invitationMail(invitation, server),
    invitationWithCompany: invitationMail(invitation, { ...server, singleSignOn }),
    invitationByCompany: invitationMail(invitation, { ...server, singleSignOn, isPasswordSignInOff: true }),
  }
}
const mails = mailsIn('en')
const spanish = mailsIn('es')

const unique = (links: string[]) => [...new Set(links)].toSorted()
const linksOf = (text: string) => unique([...text.matchAll(/https?:\/\/\S+/g)].map(([url]) => url))

test.each([...Object.entries(mails), ...Object.entries(spanish)])(
  'the mail %s has the same links as text and as HTML, and no markup of a name',
  (_, mail) => {
    const { text, html = '' } = mail
    const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map(([, url = '']) => url.replaceAll('&amp;', '&'))
    expect(unique(hrefs)).toEqual(linksOf(text))
    expect(text).toMatch(new RegExp(`^(Hello ${NAME},|Hola, ${NAME}:)$`, 'm'))
    expect(html).not.toContain('<b>')
  },
)

const ENGLISH = /\b(the|your|you|was|were|account|password|sign|mail|if|not|this|hello)\b/i
const SPANISH = /\b(su|usted|cuenta|contraseña|sesión|correo|si|se|hola)\b/i
/** What a mail says, without links, names and the English name of a button of the sign-in page. */
const plain = ({ subject, text }: Mail) =>
  `${subject}\n${text}`
    .replaceAll(/https?:\S+/g, '')
    .replaceAll(NAME, '')
    .replaceAll('“Forgot password?”', '')
    .replaceAll(ann.email, '')

test.each(Object.keys(mails) as (keyof typeof mails)[])(
  'the mail %s is wholly in its language, and says as much',
  (name) => {
    expect(plain(mails[name])).not.toMatch(SPANISH)
    expect(plain(spanish[name])).not.toMatch(ENGLISH)
    expect(spanish[name].html).toContain('<html lang="es">')
    expect(linksOf(spanish[name].text)).toEqual(linksOf(mails[name].text))
    const paragraphs = ({ text }: Mail) => text.split('\n\n').length
    expect(paragraphs(spanish[name])).toBe(paragraphs(mails[name]))
    const values = ({ text }: Mail) => text.match(/\d+|Acme|ann@example.com|O'Hara/g)
    expect(values(spanish[name])?.toSorted()).toEqual(values(mails[name])?.toSorted())
  },
)

test('a mail is made of words, so that it always has both versions', () => {
  const root = new URL('../src', import.meta.url).pathname
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|\/test-|^platform\/(mail|context)/.test(file),
  )
  const makers = files.filter((file) => readFileSync(path.join(root, file), 'utf8').includes(': Mail '))
  expect(makers.length).toBeGreaterThan(2)
  for (const file of makers)
    expect([file, readFileSync(path.join(root, file), 'utf8').includes('composeMail(')]).toEqual([file, true])
})
