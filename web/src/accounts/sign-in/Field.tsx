import { createContext, use, useId, useState } from 'react'
import type { ComponentProps, ReactNode } from 'react'
import { words } from './words/index.ts'

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
    label={words.code}
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
    label={words.recoveryCode}
    hint={words.recoveryCodeHint}
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    maxLength={40}
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form appears because its user has just asked for it
    autoFocus
  />
)

export const PasskeyNameField = ({ name }: { name: string }) => (
  <Field name="name" label={words.passkeyName} hint={words.passkeyNameHint} defaultValue={name} maxLength={60} />
)

export const EmailField = () => (
  <Field
    name="email"
    label={words.email}
    type="email"
    autoComplete="username"
    inputMode="email"
    autoCapitalize="none"
    spellCheck={false}
  />
)

export function PasswordField(props: Pick<Props, 'label' | 'hint' | 'autoComplete'>) {
  const [visible, setVisible] = useState(false)
  return (
    <Field
      {...props}
      name="password"
      type={visible ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      end={
        <button
          type="button"
          className="reveal"
          aria-label={visible ? words.hidePassword : words.showPassword}
          onClick={() => setVisible(!visible)}
        >
          {visible ? words.hide : words.show}
        </button>
      }
    />
  )
}
