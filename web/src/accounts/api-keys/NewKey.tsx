import type { ApiKey } from '@roadshow/contract/accounts/api-keys'
import { API_BASE } from '@roadshow/contract/platform/constants'
import { ShownOnce } from '../../ui/form/ShownOnce.tsx'
import styles from '../../ui/details.module.css'

export interface CreatedKey {
  key: string
  apiKey: ApiKey
}

/** The key itself, this once. */
export const NewKey = ({ created: { key }, onClose }: { created: CreatedKey; onClose: () => void }) => (
  <ShownOnce
    secret={key}
    label="API key"
    noun="key"
    use="Keep it like a password: anyone who has it can use it."
    onDone={onClose}
    isLast
  >
    <p>Send it with each call:</p>
    <pre className={styles.text}>
      {`curl ${location.origin}${API_BASE}/… \\\n  -H "Authorization: Bearer $ROADSHOW_KEY"`}
    </pre>
    <p>
      <a href={`${API_BASE}/docs`} target="_blank" rel="noreferrer">
        Try it in the API documentation
      </a>
    </p>
  </ShownOnce>
)
