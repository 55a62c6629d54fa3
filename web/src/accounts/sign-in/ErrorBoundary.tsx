import { Component } from 'react'
import type { ReactNode } from 'react'
import { reportError } from '../../api/error-log.ts'
import { words } from './words/index.ts'

export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override componentDidCatch(error: unknown) {
    void reportError('sign-in page', error)
  }

  override render() {
    if (!this.state.broken) return this.props.children
    return (
      <main className="broken" role="alert">
        <h1>{words.broken}</h1>
        <p className="lead">{words.brokenText}</p>
        <button type="button" className="primary" onClick={() => location.reload()}>
          {words.loadAgain}
        </button>
      </main>
    )
  }
}
