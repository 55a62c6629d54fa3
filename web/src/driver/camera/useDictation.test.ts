import { afterEach, expect, test, vi } from 'vitest'
import { canDictate } from './useDictation.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(document, 'featurePolicy')
})

test.each([
  ['a browser that does not know speech', undefined, undefined, false],
  ['one that knows it and tells nothing of headers', EventTarget, undefined, true],
  ['one that is kept from the microphone by headers', EventTarget, false, false],
  ['one that may use it', EventTarget, true, true],
])('%s', (_, known, isAllowed, canSpeak) => {
  vi.stubGlobal('webkitSpeechRecognition', known)
  if (isAllowed !== undefined)
    Object.assign(document, { featurePolicy: { allowsFeature: (name: string) => name === 'microphone' && isAllowed } })
  expect(canDictate()).toBe(canSpeak)
})
