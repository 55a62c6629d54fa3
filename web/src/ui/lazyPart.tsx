import { lazy, Suspense, useEffect, useEffectEvent } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { errorMessage } from '../api/call.ts'
import { isMissingPart } from '../api/missing-parts.ts'
import { useNotice } from './notices.tsx'
import { PartBoundary } from './PartBoundary.tsx'
import type { PartFailure } from './PartBoundary.tsx'

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>

interface Drawing<Props> {
  /** What stands in its place while it loads. */
  waiting?: (props: Props) => ReactNode
  /** What stands there when it could not be loaded or is broken, if not the reason and Retry. */
  failed?: (failure: PartFailure, props: Props) => ReactNode
}

/**
 * A part that is loaded when it is first drawn. While it loads, and when that fails, what is around it stays as it is.
 * Every lazy part of the console is made by this function; a test looks.
 */
export function lazyPart<Props extends object>(load: Load<Props>, { waiting, failed }: Drawing<Props> = {}) {
  const Loaded = lazy(load) as unknown as ComponentType<Props>
  return function LazyPart(props: Props) {
    return (
      <PartBoundary draw={failed && ((failure) => failed(failure, props))}>
        <Suspense fallback={waiting?.(props)}>
          <Loaded {...props} />
        </Suspense>
      </PartBoundary>
    )
  }
}

type Part<Props> = (props: Props) => ReactNode

/** A lazy drawer or dialog. It has no place of its own: when it fails, a notice says so and it counts as closed. */
export function lazyOverlay<Props extends { onClose: () => void }>(load: Load<Props>): Part<Props>
export function lazyOverlay<Props extends object>(load: Load<Props>, close: (props: Props) => void): Part<Props>
export function lazyOverlay<Props extends object>(
  load: Load<Props>,
  close = (props: Props) => (props as { onClose?: () => void }).onClose?.(),
): Part<Props> {
  return lazyPart(load, {
    // Opened again, it says so again.
    failed: (failure, props) =>
      (props as { open?: unknown }).open !== false && <FailedOverlay failure={failure} onClose={() => close(props)} />,
  })
}

interface FailedOverlayProps {
  failure: PartFailure
  onClose?: () => void
}

/** Says in a notice that a part failed. */
export function FailedOverlay({ failure: { error, retry }, onClose }: FailedOverlayProps) {
  const notice = useNotice()
  const say = useEffectEvent(() => {
    if (isMissingPart(error)) notice('This part could not be loaded.', 'bad', [{ label: 'Reload', onAct: retry }])
    else notice(errorMessage(error), 'bad')
    onClose?.()
  })
  useEffect(() => say(), [])
  return null
}
