import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { composeMail, type MailWords } from './compose.ts'
import { mailColors } from './mail-html.ts'

const ann = { email: 'ann@example.com', name: 'Ann', language: 'en' } as const
const URL_OF_SHIFT = 'https://roadshow.example/schedule/program-schedule?shift=1&tab=track'
const UNSUBSCRIBE = 'https://roadshow.example/unsubscribe?token=a&kind=b'

const words: MailWords = {
  kind: 'test',
  subject: 'T-4 is dark',
  paragraphs: ['T-4 has shown no picture for 10 minutes.', 'It is on a shift.'],
  facts: [
    ['Program', 'Big Cola'],
    ['Since', 'Mon, Nov 16, 8:00 PM CST'],
  ],
  items: [{ title: 'Photo waiting', detail: 'Dallas', url: 'https://roadshow.example/client-pop?photo=2' }],
  action: { label: 'Open the shift', url: URL_OF_SHIFT },
  second: { label: 'Call the driver', url: 'https://roadshow.example/trucks?truck=4' },
  closing: ['You get one more mail when it is resolved.'],
  footer: 'You subscribed to alerts.',
  unsubscribe: { url: UNSUBSCRIBE },
}

const unescape = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** The links of the HTML and of the text, each once. */
const linksOf = ({ html = '', text }: { html?: string; text: string }) => ({
  html: [...new Set([...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => unescape(url ?? '')))].toSorted(),
  text: [...new Set([...text.matchAll(/https?:\/\/\S+/g)].map(([url]) => url))].toSorted(),
})

const shownIn = (html: string) =>
  unescape(html.replace(/<head>.*<\/head>/s, '').replace(/<[^>]*>/g, '\n')).replace(/\s+/g, ' ')

test('a mail says the same as text and as HTML, with the same links', () => {
  const mail = composeMail(ann, 'Roadshow', words)
  const { html, text } = linksOf(mail)
  expect(html).toEqual(text)
  expect(html).toHaveLength(4)
  const shown = shownIn(mail.html ?? '')
  for (const sentence of mail.text.split('\n').filter((line) => line && !/https?:|^--$/.test(line))) {
    for (const part of sentence.replace(/^- |:$/, '').split(': ')) expect(shown).toContain(part.trim())
  }
  expect(mail.headers).toMatchObject({
    'List-Unsubscribe': `<${UNSUBSCRIBE}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })
})

test('only a mail that can be ended has a header to end it', () => {
  const { unsubscribe: _, ...rest } = words
  const mail = composeMail(ann, 'Roadshow', rest)
  expect(mail.headers).not.toHaveProperty('List-Unsubscribe')
  expect(mail.html).not.toContain('Unsubscribe')
})

test('a name that holds markup or line breaks stays a name', () => {
  const name = '<script>alert(1)</script>"\r\n\r\nYour account is locked:\nhttps://thief.example \u202Egnp.exe'
  const mail = composeMail({ ...ann, name }, name, {
    ...words,
    subject: `${name} is dark`,
    paragraphs: [name],
    facts: [[name, name]],
    items: [{ title: name, detail: name }],
    action: { label: name, url: URL_OF_SHIFT },
  })
  expect(mail.html).not.toContain('<script')
  expect(mail.html).not.toContain('\u202E')
  expect(mail.html).not.toContain('href="https://thief.example')
  expect(mail.subject).not.toMatch(/[\r\n]/)
  expect(mail.text).not.toMatch(/^(Your account|https:\/\/thief)/m)
})

test('a link leads to a web address and nowhere else', () => {
  for (const url of ['javascript:alert(1)', 'data:text/html,x', '/relative', ''])
    expect(() => composeMail(ann, 'Roadshow', { ...words, action: { label: 'Open', url } })).toThrow(
      /can't link to|Invalid URL/,
    )
})

test('the HTML loads nothing from elsewhere and runs nothing', () => {
  const { html = '' } = composeMail(ann, 'Roadshow', words)
  expect(html).not.toMatch(/<(img|script|link|iframe|svg)|url\(|@import|src=/i)
  expect(html).toContain('max-width:600px')
  expect(html).toContain('prefers-color-scheme: dark')
  expect(html).toMatch(/<meta name="color-scheme" content="light dark" ?\/?>/)
})

test('mails have the colors of the console', () => {
  const table = readFileSync(new URL('../../../../web/src/brand/colors.ts', import.meta.url), 'utf8')
  const declared = new Map(
    [...table.matchAll(/^  '?([\w-]+)'?: \['(#\w{6})', '(#\w{6})'\]/gm)].map(([, name, ...colors]) => [name, colors]),
  )
  for (const [name, colors] of Object.entries(mailColors))
    expect([name, declared.get(name)]).toEqual([name, [...colors]])
})
