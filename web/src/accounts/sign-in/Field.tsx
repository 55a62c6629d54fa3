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

/** The six digits of an authenticator app. Phones offer digits, and fill in what a message brings. */
export const CodeField = ({ hint }: Pick<Props, 'hint'>) => (
  <Field
    name="code"
    label="6-digit code"
    {...(hint && { hint })}
    type="text"
    inputMode="numeric"
    autoComplete="one-time-code"
    maxLength={12}
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form appears because its user has just asked for it
    autoFocus
  />
)

export const RecoveryCodeField = () => (
  <Field
    name="recoveryCode"
    label="Recovery code"
    hint="Each code works once."
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    maxLength={40}
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form appears because its user has just asked for it
    autoFocus
  />
)

export const PasskeyNameField = ({ name }: { name: string }) => (
  <Field
    name="name"
    label="Name of the passkey"
    hint="So that you recognize it later."
    defaultValue={name}
    maxLength={60}
  />
)

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
