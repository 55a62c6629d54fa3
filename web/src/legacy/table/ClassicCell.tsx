import { formatClock } from '@roadshow/contract/platform/dates'
import type { ChangeEvent } from 'react'
import { useId } from 'react'
import { yesNo, YES } from './columns.ts'
import type { CellEdit } from './columns.ts'
import styles from './ClassicCell.module.css'

interface ClassicCellProps {
  /** Names the column and the row, for screen readers. */
  label: string
  column: string
  edit: CellEdit
  text: string
  error: string | undefined
  note: string | undefined
  isTyped: boolean
  isBusy: boolean
  /** The suggestions of the column. */
  listId: string
  onType: (text: string) => void
}

/** A cell to type into, with its error below. */
export function ClassicCell(cell: ClassicCellProps) {
  const { label, column, edit, text, error, note, isTyped, isBusy, listId, onType } = cell
  const said = useId()
  const field = {
    'aria-label': label,
    'aria-invalid': error !== undefined,
    'aria-describedby': error || note ? said : undefined,
    'data-column': column,
    'data-typed': isTyped,
    value: text,
    className: styles.field,
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) =>
      onType(target.value),
  }
  return (
    <>
      {edit.kind === 'check' ? (
        <input
          {...field}
          type="checkbox"
          className={styles.check}
          value={YES}
          checked={text === YES}
          disabled={isBusy}
          onChange={({ target }) => onType(yesNo(target.checked))}
        />
      ) : edit.kind === 'choice' && edit.areFew ? (
        <Few {...field} edit={edit} text={text} disabled={isBusy} />
      ) : edit.kind === 'lines' ? (
        <textarea {...field} rows={1} readOnly={isBusy} />
      ) : (
        <input
          {...field}
          type="text"
          autoComplete="off"
          spellCheck={false}
          readOnly={isBusy}
          list={edit.kind === 'choice' ? listId : undefined}
          inputMode={edit.kind === 'money' ? 'decimal' : undefined}
          placeholder={placeholderOf(edit)}
        />
      )}
      {(error ?? note) !== undefined && (
        <span id={said} className={error ? styles.error : styles.note}>
          {error ?? note}
        </span>
      )}
    </>
  )
}

const placeholderOf = ({ kind }: CellEdit) => {
  if (kind === 'day') return 'mm/dd/yyyy'
  return kind === 'clock' ? formatClock('08:00') : undefined
}

interface FewProps extends Omit<React.ComponentProps<'select'>, 'value'> {
  edit: Extract<CellEdit, { kind: 'choice' }>
  text: string
}

/** A few words to choose from. One that was pasted and is none of them is shown as it is, until another is chosen. */
const Few = ({ edit: { choices, isOptional }, text, ...field }: FewProps) => {
  const labels = choices.map(({ label }) => label)
  return (
    <select {...field} value={text}>
      {isOptional && <option value="">–</option>}
      {!labels.includes(text) && (text !== '' || !isOptional) && <option value={text}>{text}</option>}
      {labels.map((label) => (
        <option key={label} value={label}>
          {label}
        </option>
      ))}
    </select>
  )
}
