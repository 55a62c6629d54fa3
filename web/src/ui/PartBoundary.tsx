import { Component } from 'react'
import type { ReactNode } from 'react'
import { isMissingPart, reloadWithDrafts } from '../api/missing-parts.ts'
import { reportError } from '../api/error-log.ts'
import { ErrorState } from './states.tsx'

/** What went wrong in a part, and the way to try again. */
export interface PartFailure {
  error: unknown
  retry: () => void
}

interface PartBoundaryProps {
  /** How a failure is drawn, if not in the place of the part. */
  draw?: ((failure: PartFailure) => ReactNode) | undefined
  children: ReactNode
}

/** Keeps a broken or missing part from taking its surroundings along, such as the form beside it. */
export class PartBoundary extends Component<PartBoundaryProps, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown) {
    void reportError('part', error)
  }

  override render() {
    const { children, draw } = this.props
    const { error } = this.state
    if (error === undefined) return children
    // A part that could not be loaded is loaded only by a new page; what was typed is put back there.
    const retry = () => (isMissingPart(error) ? reloadWithDrafts() : this.setState({ error: undefined }))
    return draw ? draw({ error, retry }) : <ErrorState error={error} onRetry={retry} />
  }
}
