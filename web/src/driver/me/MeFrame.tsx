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
  children: (data: T) => ReactNode
}

/** A page below Me, which shows what the server has: it needs signal. */
export function MeFrame<T>({ title, up = '/me', loaded: { data, hasFailed, reload }, children }: MeFrameParts<T>) {
  const words = useWords()
  const { isOnline } = useAppState()
  return (
    <Frame>
      <PageHead title={title} up={up} />
      {data !== undefined && children(data)}
      {data === undefined && !hasFailed && <p>{words.loading}</p>}
      {data === undefined && hasFailed && (
        <>
          <p role="alert">{isOnline ? words.couldNotLoad : words.needsSignal}</p>
          <Button onClick={() => void reload()}>{words.tryAgain}</Button>
        </>
      )}
    </Frame>
  )
}
