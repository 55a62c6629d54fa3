import { useState } from 'react'
import { keyInGroups } from '../../../api/factor-rules.ts'
import type { CodeAppSetup } from '../../../api/useSecondFactors.ts'
import { Stack } from '../../../ui/layout.tsx'
import { useWords } from '../../context.ts'
import { Button, OutsideLink } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { CopyButton } from './CopyButton.tsx'
import type { SecondStepChanges } from './useSecondStep.ts'
import styles from '../me.module.css'

interface SetupParts {
  setup: CodeAppSetup
  changes: SecondStepChanges
}

/** The key of a new authenticator app, most often one on the same phone, and its first code. */
export function CodeAppSetupPart({ setup, changes }: SetupParts) {
  const words = useWords()
  const [code, setCode] = useState('')
  const { isBusy, problem, close, addCodeApp } = changes
  return (
    <>
      <section className={`${styles.card} ${styles.roomy}`}>
        <h2>{words.codeApp}</h2>
        <p>{words.codeAppText}</p>
        <OutsideLink href={setup.address}>{words.codeAppOpen}</OutsideLink>
        <p>{words.codeAppKey}</p>
        <p className={styles.key}>{keyInGroups(setup.key)}</p>
        <CopyButton text={setup.key}>{words.codeAppKeyCopy}</CopyButton>
        <details className={styles.more}>
          <summary>{words.codeAppOnOther}</summary>
          <p>{words.codeAppPictureText}</p>
          <img className={styles.qr} src={setup.picture} alt={words.codeAppPicture} width={220} height={220} />
        </details>
      </section>
      <Stack
        as="form"
        gap={3}
        onSubmit={(event) => {
          event.preventDefault()
          void addCodeApp(code)
        }}
      >
        <p>{words.oneTimeCodeText}</p>
        <TextField
          label={words.oneTimeCode}
          value={code}
          onValue={setCode}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          required
        />
        {problem && (
          <p role="alert" className={styles.problem}>
            {words[problem] as string}
          </p>
        )}
        <Button type="submit" look="primary" disabled={isBusy || code.trim() === ''}>
          {words.continue}
        </Button>
        <Button onClick={close}>{words.cancel}</Button>
      </Stack>
    </>
  )
}
