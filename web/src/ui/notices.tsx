import { createContext, use, useCallback, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import styles from './notices.module.css'

const SHOWN_MS = 5_000
/** Long enough to read and to press a button. */
const SHOWN_WITH_ACTIONS_MS = 12_000

type Kind = 'done' | 'bad'

/** A button of a notice. The notice goes when it is pressed. */
export interface NoticeAction {
  label: string
  onAct: () => void
}

interface Notice {
  text: string
  kind: Kind
  actions: readonly NoticeAction[]
}

type ShowNotice = (text: string, kind?: Kind, actions?: readonly NoticeAction[]) => void

const NoticeContext = createContext<ShowNotice>(() => undefined)

/** Says in one line, for a few seconds, what has just happened. What needs an answer belongs at its place instead. */
export const useNotice = () => use(NoticeContext)

export function Notices({ children }: { children: ReactNode }) {
  const [notice, setNotice] = useState<Notice>()
  /** Being pointed at or focused: it stays. */
  const [isHeld, setIsHeld] = useState(false)
  const show = useCallback<ShowNotice>((text, kind = 'done', actions = []) => setNotice({ text, kind, actions }), [])
  const hide = useCallback(() => {
    setNotice(undefined)
    setIsHeld(false)
  }, [])

  useEffect(() => {
    if (!notice || isHeld) return
    const timer = setTimeout(hide, notice.actions.length > 0 ? SHOWN_WITH_ACTIONS_MS : SHOWN_MS)
    return () => clearTimeout(timer)
  }, [notice, isHeld, hide])

  const hold = { onPointerEnter: () => setIsHeld(true), onFocus: () => setIsHeld(true) }
  const release = { onPointerLeave: () => setIsHeld(false), onBlur: () => setIsHeld(false) }

  return (
    <NoticeContext value={show}>
      {children}
      <div role="status" className={styles.place}>
        {notice && (
          <div className={styles.notice} data-kind={notice.kind} {...hold} {...release}>
            {notice.text}
            {notice.actions.map(({ label, onAct }) => (
              <button
                key={label}
                type="button"
                onClick={() => {
                  hide()
                  onAct()
                }}
              >
                {label}
              </button>
            ))}
          </div>
        )}
      </div>
    </NoticeContext>
  )
}
