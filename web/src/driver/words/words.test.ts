import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { textsInPage } from '../../test-page-texts.ts'
import { en } from './en.ts'
import { languageFor, wordsOf } from './index.ts'

const SOURCES = join(import.meta.dirname, '..')
const names = Object.keys(en) as (keyof typeof en)[]

/** A text as a driver may see it: of a sentence with values, one with each number that has a form of its own. */
function textsOf(language: 'en' | 'es', name: keyof typeof en): string[] {
  const text = wordsOf[language][name] as string | ((...values: unknown[]) => string)
  if (typeof text === 'string') return [text]
  return [0, 1, 2, 21].map((number) => text(number, number))
}

// Words that Spanish shares with English, names of languages, and sentences that are made of values only.
const SAME = ['artworkVideo', 'languageEnglish', 'languageSpanish', 'messageBy', 'payWeek', 'choiceOf']

test('every text is shown somewhere', () => {
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.') && !path.startsWith('words/'))
    .map((path) => readFileSync(join(SOURCES, path), 'utf8'))
    .join('\n')
  expect(names.filter((name) => !new RegExp(`words\\.${name}\\b|'${name}'`).test(sources))).toEqual([])
})

test('every text that a driver sees is there in Spanish', () => {
  expect(names.length).toBeGreaterThan(200)
  expect(Object.keys(wordsOf.es).toSorted()).toEqual(names.toSorted())
  for (const name of names) expect(textsOf('es', name).join('').trim(), name).not.toBe('')
})

test('no text is the English one by oversight', () => {
  const same = names.filter((name) => textsOf('en', name).join() === textsOf('es', name).join())
  expect(same.toSorted()).toEqual(SAME.toSorted())
})

/** Values that a sentence leaves out. A sentence about no defects names no number. */
function valuesLeftOut(language: 'en' | 'es', name: keyof typeof en): string[] {
  const text = wordsOf[language][name] as string | ((...values: string[]) => string)
  if (typeof text === 'string' || name === 'inspectionDone') return []
  const values = Array.from({ length: text.length }, (_, index) => `<${index}>`)
  return values.filter((value) => !text(...values).includes(value)).map((value) => `${name} in ${language}: ${value}`)
}

test('a sentence keeps each of its values in both languages', () => {
  expect(names.flatMap((name) => [...valuesLeftOut('en', name), ...valuesLeftOut('es', name)])).toEqual([])
})

test('Spanish addresses the driver formally', () => {
  const informal = /\b(?:tú|tu|tus|tienes|puedes|quieres|haz|toca|elige|abre|escribe)\b/i
  expect(names.filter((name) => textsOf('es', name).some((text) => informal.test(text)))).toEqual([])
})

test('the language is the driver’s choice, then the first that the browser wants, then English', () => {
  expect(languageFor('es', ['en-US'])).toBe('es')
  expect(languageFor('en', ['es-MX'])).toBe('en')
  expect(languageFor(null, ['fr', 'es-419', 'en'])).toBe('es')
  expect(languageFor(undefined, ['de'])).toBe('en')
})

test('no page has a text of its own beside the words', () => {
  expect(textsInPage('<p className={styles.a}>Hello you</p>')).toEqual(['Hello you'])
  expect(textsInPage("<B look='bad' onClick={() => go('x')}>{isOn ? 'Stop' : words.go}</B>")).toEqual(['Stop'])
  expect(textsInPage('<img alt="A truck" title={`Side ${side}`} />')).toEqual(['A truck', 'Side '])
  expect(textsInPage("<b>{words.rear} · {state === 'on' && words.on}</b>")).toEqual([])
  const pages = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.tsx') && !path.endsWith('.test.tsx'),
  )
  expect(pages.length).toBeGreaterThan(20)
  const found = pages.flatMap((path) =>
    textsInPage(readFileSync(join(SOURCES, path), 'utf8')).map((text) => `${path}: ${text}`),
  )
  expect(found).toEqual([])
})
