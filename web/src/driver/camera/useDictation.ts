import { useEffect, useRef, useState } from 'react'

/** What of a browser's speech recognition is used here; TypeScript does not know it. */
interface Recognition extends EventTarget {
  lang: string
  interimResults: boolean
  start(): void
  abort(): void
}
interface RecognitionEvent extends Event {
  results: ArrayLike<ArrayLike<{ transcript: string }>>
}
type RecognitionClass = new () => Recognition

const recognitionClass = (): RecognitionClass | undefined => {
  const scope = globalThis as { SpeechRecognition?: RecognitionClass; webkitSpeechRecognition?: RecognitionClass }
  return scope.SpeechRecognition ?? scope.webkitSpeechRecognition
}

/** What a page may do by the server's headers, in browsers that tell. */
interface PagePolicy {
  featurePolicy?: { allowsFeature(name: string): boolean }
}

/** Whether this browser can write down what is said, and may: our pages do without the microphone itself. */
export const canDictate = (): boolean =>
  recognitionClass() !== undefined && (document as PagePolicy).featurePolicy?.allowsFeature('microphone') !== false

/** Writes down what the driver says, sentence by sentence. */
export function useDictation(language: 'en' | 'es', onText: (text: string) => void) {
  const [isListening, setIsListening] = useState(false)
  const [hasFailed, setHasFailed] = useState(false)
  const current = useRef<Recognition>(undefined)
  useEffect(() => () => current.current?.abort(), [])

  const start = () => {
    const Known = recognitionClass()
    if (!Known) return
    const recognition = new Known()
    current.current = recognition
    recognition.lang = language === 'es' ? 'es-US' : 'en-US'
    recognition.interimResults = false
    recognition.addEventListener('result', (event) => {
      const { results } = event as RecognitionEvent
      onText(
        Array.from(results, (result) => result[0]?.transcript ?? '')
          .join(' ')
          .trim(),
      )
    })
    recognition.addEventListener('error', () => setHasFailed(true))
    recognition.addEventListener('end', () => setIsListening(false))
    setHasFailed(false)
    setIsListening(true)
    recognition.start()
  }
  return { isListening, hasFailed, start, stop: () => current.current?.abort() }
}
