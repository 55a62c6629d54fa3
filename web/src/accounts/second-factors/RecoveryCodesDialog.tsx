import { Button, Modal } from 'antd'
import { useState } from 'react'
import styles from './SecondFactors.module.css'

/** Recovery codes are shown this once: the dialog closes by its button only. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const [copied, setCopied] = useState(false)
  const copy = () => void navigator.clipboard.writeText(codes.join('\n')).then(() => setCopied(true))
  return (
    <Modal
      open
      title="Keep your recovery codes"
      closable={false}
      mask={{ closable: false }}
      keyboard={false}
      width={416}
      centered
      destroyOnHidden
      footer={[
        ...('clipboard' in navigator
          ? [
              <Button key="copy" onClick={copy}>
                {copied ? 'Copied' : 'Copy the codes'}
              </Button>,
            ]
          : []),
        <Button key="done" type="primary" onClick={onClose}>
          I have kept them
        </Button>,
      ]}
    >
      <p>
        If you lose your second factor, each of these codes signs you in once. Keep them in a safe place: they are not
        shown again.
      </p>
      <ul className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Modal>
  )
}
