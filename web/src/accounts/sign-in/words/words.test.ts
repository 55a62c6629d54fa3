import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { textsInPage } from '../../../test-page-texts.ts'
import { en } from './en.tsx'
import { es, spanishSentences } from './es.tsx'

const ROOT = join(import.meta.dirname, '../../../../..')
const PAGES = join(import.meta.dirname, '..')
const names = Object.keys(en) as (keyof typeof en)[]

const textOf = (words: typeof es, name: keyof typeof en): string => {
  const text = words[name] as string | ((value: unknown) => unknown)
  if (typeof text === 'string') return text
  const value = name === 'isYoursText' ? { provider: '<1>', brand: '<2>', email: '<3>', name: '<4>' } : '<1>'
  return renderToStaticMarkup(text(value) as string)
}

test('every text of the sign-in pages is there in Spanish, formal, and not the English one by oversight', () => {
  expect(Object.keys(es).toSorted()).toEqual(names.toSorted())
  const informal = /\b(?:tú|tu|tus|tienes|puedes|elige|abre|escribe|revisa|usa)\b/i
  for (const name of names) {
    expect(textOf(es, name), name).not.toBe(textOf(en, name))
    expect(textOf(es, name)).not.toMatch(informal)
  }
  // Sentences may name a value more often in one language; the suggested name of a passkey is in English.
  const values = (text: string) => [...new Set(text.match(/&lt;\d&gt;/g))].toSorted()
  for (const name of names.filter((each) => each !== 'passkeyNameHere'))
    expect(values(textOf(es, name)), name).toEqual(values(textOf(en, name)))
})

const sourcesIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') || file.endsWith('.tsx'))
    .map((file) => readFileSync(join(ROOT, folder, file), 'utf8'))
    .join('\n')

test('sentences that have a translation are still the ones that the server and the browser say', () => {
  const folders = ['contract/src/platform', 'contract/src/accounts', 'api/src/accounts/sign-in', 'web/src/api']
  const others = ['api/src/accounts/second-factors', 'web/src/accounts/sign-in']
  const said = [...folders, ...others]
    .map(sourcesIn)
    .join('\n')
    .replaceAll(/\$\{M\w+_PASSWORD\}/g, '#')
  const unsaid = Object.keys(spanishSentences).filter((sentence) => !said.includes(sentence.replace(/10|200/, '#')))
  expect(unsaid).toEqual([])
})

test('no sign-in page has a text of its own beside the words', () => {
  const pages = readdirSync(PAGES).filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
  expect(pages.length).toBeGreaterThan(10)
  const found = pages.flatMap((file) =>
    textsInPage(readFileSync(join(PAGES, file), 'utf8')).map((text) => `${file}: ${text}`),
  )
  expect(found).toEqual([])
})

afterEach(() => vi.unstubAllGlobals())

test('the browser’s language decides, and what has no translation stays as it is', async () => {
  vi.stubGlobal('navigator', { languages: ['es-MX', 'en'] })
  vi.resetModules()
  const { translated, words } = await import('./index.ts')
  expect(words.signIn).toBe('Iniciar sesión')
  expect(translated('Wrong email or password.')).toBe('Correo o contraseña incorrectos.')
  expect(translated('Too many attempts. Please try again in 40 seconds.')).toContain('Demasiados intentos.')
  expect(translated('A sentence of tomorrow.')).toBe('A sentence of tomorrow.')
})
