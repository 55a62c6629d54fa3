import { Component } from 'react'
import type { ReactNode } from 'react'
import { DEFAULT_ERROR } from '@roadshow/contract/platform/constants'
import { reportError } from '../../api/web-log.ts'

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
        <h1>{DEFAULT_ERROR}</h1>
        <p className="lead">The error has been reported. Reloading the page usually helps.</p>
        <button type="button" className="primary" onClick={() => location.reload()}>
          Load again
        </button>
      </main>
    )
  }
}
