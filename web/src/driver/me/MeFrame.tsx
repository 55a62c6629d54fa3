import type { ReactNode } from 'react'
import { useAppState, useWords } from '../context.ts'
import { Button } from '../ui/Button.tsx'
import { Frame } from '../ui/Frame.tsx'
import { PageHead } from '../ui/PageHead.tsx'
import type { Loaded } from './useLoaded.ts'

interface MeFrameParts<T> {
  title: string
  /** The page above, unless it is Me itself. */
  up?: string
  loaded: Loaded<T>
  /** What stands above the data, also while it is loaded and when it cannot be. */
  head?: ReactNode
  children: (data: T) => ReactNode
}

/** A page below Me, which shows what the server has: it needs signal. */
export function MeFrame<T>({ title, up = '/me', loaded, head, children }: MeFrameParts<T>) {
  const { data, hasFailed, reload } = loaded
  const words = useWords()
  const { isOnline } = useAppState()
  return (
    <Frame>
      <PageHead title={title} up={up} />
      {head}
      {data !== undefined && children(data)}
      {data === undefined && !hasFailed && <p>{words.loading}</p>}
      {hasFailed && (
        <>
          <p role="alert">
            {data !== undefined ? words.couldNotRefresh : isOnline ? words.couldNotLoad : words.needsSignal}
          </p>
          <Button onClick={() => void reload()}>{words.tryAgain}</Button>
        </>
      )}
    </Frame>
  )
}
