import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import * as factors from '../src/accounts/second-factors/mails.ts'
import * as signIn from '../src/accounts/sign-in/mails.ts'
import { invitationMail } from '../src/catalog/users/mails.ts'

const NAME = '<b>Ann</b> "O\'Hara" & Söhne'
const ann = { email: 'ann@example.com', name: NAME }
const link = 'https://roadshow.example/forgot-password?token=abc&kind=1'
const words = { brand: 'Roadshow', provider: 'Acme' }
const server = { brandName: 'Roadshow', publicUrl: 'https://roadshow.example' }
const singleSignOn = { name: 'Acme' }
const invitation = { ...ann, by: NAME, link }

const mails = {
  reset: signIn.passwordResetMail(ann, 'Roadshow', link),
  changed: signIn.passwordChangedMail(ann, { brand: 'Roadshow', url: link }),
  confirm: signIn.confirmSignInMail(ann, words, { link, minutes: 30 }),
  linked: signIn.signInLinkedMail(ann, words),
  factorAdded: factors.factorAddedMail(ann, 'Roadshow', 'Passkey'),
  factorRemoved: factors.factorRemovedMail(ann, 'Roadshow', 'Passkey'),
  codes: factors.recoveryCodesMail(ann, 'Roadshow'),
  codeUsed: factors.recoveryCodeUsedMail(ann, 'Roadshow', 1),
  factorsReset: factors.factorsResetMail(ann, 'Roadshow', NAME),
  invitation: invitationMail(invitation, server),
  invitationWithCompany: invitationMail(invitation, { ...server, singleSignOn }),
  invitationByCompany: invitationMail(invitation, { ...server, singleSignOn, isPasswordSignInOff: true }),
}

const unique = (links: string[]) => [...new Set(links)].toSorted()

test.each(Object.entries(mails))(
  'the mail %s has the same links as text and as HTML, and no markup of a name',
  (_, mail) => {
    const { text, html = '' } = mail
    const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map(([, url = '']) => url.replaceAll('&amp;', '&'))
    expect(unique(hrefs)).toEqual(unique([...text.matchAll(/https?:\/\/\S+/g)].map(([url]) => url)))
    expect(text).toContain(`Hello ${NAME},`)
    expect(html).not.toContain('<b>')
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
