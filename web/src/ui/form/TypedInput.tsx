import type { Reading } from '@roadshow/contract/platform/typed-time'
import { Input } from 'antd'
import { createContext, use, useId, useState } from 'react'
import type { FocusEvent, KeyboardEvent, ReactNode } from 'react'
import styles from './TypedInput.module.css'

/** True in a field of a form, whose schema refuses what cannot be read and marks the field. */
export const InFieldContext = createContext(false)

export interface TypedInputProps<Value> {
  /** The value in words; of a value that could not be read, what was typed. */
  shown: string
  read: (typed: string) => Reading<Value>
  /** What was understood, in words. */
  say: (value: Value) => string
  onRead: (value: Value) => void
  /**
   * Takes what could not be read where it is refused later, and answers what is shown of it then. Elsewhere the value stays,
   * and the input says why.
   */
  onUnread?: ((typed: string) => string) | undefined
  onEmpty?: (() => void) | undefined
  onBlur?: (() => void) | undefined
  /** Enter takes what was typed; it does not save the form as well. */
  isEnterTaken?: boolean
  suffix?: ReactNode
  id?: string | undefined
  placeholder?: string | undefined
  'aria-label'?: string | undefined
}

/**
 * Text that stands for something else, such as a day. It says what it understands while someone types, takes it when the
 * field is left, and keeps what it does not understand.
 */
export function TypedInput<Value>(props: TypedInputProps<Value>) {
  const { shown, read, say, onRead, onUnread, onEmpty, onBlur, isEnterTaken = false, ...input } = props
  // Another value from outside replaces what was typed for the one before.
  const [edit, setEdit] = useState<{ text: string; of: string }>()
  const [isFocused, setIsFocused] = useState(false)
  const isInField = use(InFieldContext)
  const noteId = useId()
  const typed = edit?.of === shown ? edit.text : undefined
  const reading = typed === undefined || typed.trim() === '' ? undefined : read(typed)
  const isUnread = reading !== undefined && 'problem' in reading

  const settle = () => {
    if (typed === undefined) return
    if (reading === undefined) onEmpty?.()
    else if ('value' in reading) onRead(reading.value)
    else if (!onUnread) return
    setEdit(isUnread && onUnread ? { text: typed, of: onUnread(typed.trim()) } : undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && typed !== undefined) {
      // The first Escape gives up what was typed; the drawer around it stays.
      event.stopPropagation()
      setEdit(undefined)
    }
    if (event.key !== 'Enter') return
    settle()
    if (isEnterTaken) event.preventDefault()
  }
  const note = reading === undefined ? undefined : 'problem' in reading ? reading.problem : say(reading.value)

  return (
    <span className={styles.box}>
      <Input
        {...input}
        className="figures"
        autoComplete="off"
        maxLength={40}
        value={typed ?? shown}
        status={isUnread && !isFocused ? 'error' : ''}
        aria-describedby={note === undefined ? undefined : noteId}
        onChange={({ target }) => setEdit({ text: target.value, of: shown })}
        onFocus={(event: FocusEvent<HTMLInputElement>) => {
          setIsFocused(true)
          event.target.select()
        }}
        onBlur={() => {
          setIsFocused(false)
          settle()
          onBlur?.()
        }}
        onKeyDown={onKeyDown}
      />
      {note !== undefined && (isFocused || (isUnread && !isInField)) && (
        <span id={noteId} role="status" className={styles.note} data-unread={isUnread}>
          {note}
        </span>
      )}
    </span>
  )
}
