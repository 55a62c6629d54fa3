import { createContext, use, useCallback, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import styles from './notices.module.css'

const SHOWN_MS = 5_000

type Kind = 'done' | 'bad'
interface Notice {
  text: string
  kind: Kind
}

const NoticeContext = createContext<(text: string, kind?: Kind) => void>(() => undefined)

/** Says in one line, for a few seconds, what has just happened. What needs an answer belongs at its place instead. */
export const useNotice = () => use(NoticeContext)

export function Notices({ children }: { children: ReactNode }) {
  const [notice, setNotice] = useState<Notice>()
  const show = useCallback((text: string, kind: Kind = 'done') => setNotice({ text, kind }), [])

  useEffect(() => {
    if (!notice) return
    const timer = setTimeout(() => setNotice(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [notice])

  return (
    <NoticeContext value={show}>
      {children}
      <div role="status" className={styles.place}>
        {notice && (
          <p className={styles.notice} data-kind={notice.kind}>
            {notice.text}
          </p>
        )}
      </div>
    </NoticeContext>
  )
}
