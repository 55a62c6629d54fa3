import { Component } from 'react'
import type { ReactNode } from 'react'
import { isMissingPart, reloadWithDrafts } from '../api/missing-parts.ts'
import { reportError } from '../api/error-log.ts'
import { ErrorState } from './states.tsx'

/** Keeps a broken or missing part from taking its surroundings along, such as the form beside it. */
export class PartBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown) {
    void reportError('part', error)
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    // A part that could not be loaded is loaded only by a new page; what was typed is put back there.
    const retry = () => (isMissingPart(error) ? reloadWithDrafts() : this.setState({ error: undefined }))
    return <ErrorState error={error} onRetry={retry} />
  }
}
