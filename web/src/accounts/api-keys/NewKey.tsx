import type { ApiKey } from '@roadshow/contract/accounts/api-keys'
import { API_BASE } from '@roadshow/contract/platform/constants'
import { Alert, Button } from 'antd'
import { CopyLink } from '../../ui/CopyLink.tsx'
import styles from './ApiKeyDrawer.module.css'

export interface CreatedKey {
  key: string
  apiKey: ApiKey
}

/** The key itself, this once. */
export const NewKey = ({ created: { key }, onClose }: { created: CreatedKey; onClose: () => void }) => (
  <>
    <Alert
      type="warning"
      role="alert"
      showIcon
      title="Copy the key now"
      description="It is shown only this once. Keep it like a password: anyone who has it can use it."
    />
    <div className={styles.key}>
      <CopyLink url={key} label="API key" noun="key" />
    </div>
    <p>Send it with each call:</p>
    <pre className={styles.example}>
      {`curl ${location.origin}${API_BASE}/… \\\n  -H "Authorization: Bearer $ROADSHOW_KEY"`}
    </pre>
    <p>
      <a href={`${API_BASE}/docs`} target="_blank" rel="noreferrer">
        Try it in the API documentation
      </a>
    </p>
    <footer className={styles.end}>
      <Button type="primary" onClick={onClose}>
        Done
      </Button>
    </footer>
  </>
)
