import { createContext, use, useId, useState } from 'react'
import type { ComponentProps, ReactNode } from 'react'

/** What is wrong, by field name. */
export const FieldErrors = createContext<Record<string, string>>({})

interface Props extends ComponentProps<'input'> {
  name: string
  label: string
  hint?: string
  /** Stands inside the input's box, at its end. */
  end?: ReactNode
}

function Field({ name, label, hint, end, ...input }: Props) {
  const id = useId()
  const error = use(FieldErrors)[name]
  const said = error ?? hint
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="field-box">
        <input
          id={id}
          name={name}
          required
          aria-invalid={error !== undefined}
          {...(said && { 'aria-describedby': `${id}said` })}
          {...input}
        />
        {end}
      </div>
      {said && (
        <p id={`${id}said`} className={error ? 'field-error' : 'field-hint'}>
          {said}
        </p>
      )}
    </div>
  )
}

export const EmailField = () => (
  <Field
    name="email"
    label="Email"
    type="email"
    autoComplete="username"
    inputMode="email"
    autoCapitalize="none"
    spellCheck={false}
  />
)

export function PasswordField(props: Pick<Props, 'label' | 'hint' | 'autoComplete'>) {
  const [visible, setVisible] = useState(false)
  const act = visible ? 'Hide' : 'Show'
  return (
    <Field
      {...props}
      name="password"
      type={visible ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      end={
        <button type="button" className="reveal" aria-label={`${act} password`} onClick={() => setVisible(!visible)}>
          {act}
        </button>
      }
    />
  )
}
