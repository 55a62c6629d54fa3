import { useWords } from '../../context.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from './CopyButton.tsx'
import styles from '../me.module.css'

/** Recovery codes are shown this once: they stay until the driver says that they are kept. */
export function RecoveryCodesPart({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const words = useWords()
  return (
    <>
      <section className={`${styles.card} ${styles.roomy}`}>
        <h2>{words.recoveryCodesKeep}</h2>
        <p>{words.recoveryCodesText}</p>
        <ul className={styles.codes} aria-label={words.recoveryCodes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <CopyButton text={codes.join('\n')}>{words.recoveryCodesCopy}</CopyButton>
      </section>
      <Button look="primary" onClick={onKept}>
        {words.recoveryCodesKept}
      </Button>
    </>
  )
}
