import type { DriverDay, DriverMay, Language } from '@roadshow/contract/live/driver-app'
import { createContext, use, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { AppState } from './app-state.ts'
import type { DriverApp } from './driver-app.ts'
import { shownDay, trueTime } from './queue/shown-day.ts'
import { mayOf } from './queue/wait-rules.ts'
import { languageFor, wordsOf } from './words/index.ts'
import type { Words } from './words/index.ts'

export const AppContext = createContext<DriverApp | undefined>(undefined)

export function useApp(): DriverApp {
  const app = use(AppContext)
  if (!app) throw new Error('The page is not inside the app.')
  return app
}

export function useAppState(): AppState {
  const { holder } = useApp()
  return useSyncExternalStore(holder.subscribe, holder.read)
}

/** The day with what the driver has done since it was loaded. */
export function useDay(): DriverDay | undefined {
  const { day, queue, clockOffsetMs } = useAppState()
  return useMemo(() => day && shownDay(day, queue, clockOffsetMs), [day, queue, clockOffsetMs])
}

/** What the account may send and open; nothing else is offered. */
export const useMay = (): DriverMay => mayOf(useAppState().day)

export function useLanguage(): Language {
  const { day } = useAppState()
  return languageFor(day?.driver.language, navigator.languages)
}

/** The texts in the driver's language. */
export const useWords = (): Words => wordsOf[useLanguage()]

const TICK_MS = 15_000

/** The time by the server's clock, which a phone with a wrong clock does not know itself. */
export function useNow(): number {
  const { clockOffsetMs } = useAppState()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return trueTime(now, clockOffsetMs)
}
