import { Component } from 'react'
import type { ReactNode } from 'react'
import { reportError } from '../../api/error-log.ts'
import { languageFor, wordsOf } from '../words/index.ts'
import { Button } from './Button.tsx'

/** Shows a way on when a page breaks. What was done is in the queue already. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override componentDidCatch(error: unknown) {
    void reportError('driver', error)
  }

  override render() {
    if (!this.state.isBroken) return this.props.children
    const words = wordsOf[languageFor(null, navigator.languages)]
    return (
      <main>
        <h1>{words.somethingWrong}</h1>
        <p>{words.somethingWrongText}</p>
        <Button look="primary" onClick={() => location.reload()}>
          {words.reload}
        </Button>
      </main>
    )
  }
}
