import { useState } from 'react'

/** Recovery codes are shown this once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const [copied, setCopied] = useState(false)
  const copy = () => void navigator.clipboard.writeText(codes.join('\n')).then(() => setCopied(true))
  return (
    <>
      <h1>Keep your recovery codes</h1>
      <p className="lead">
        If you lose your second factor, each of these codes signs you in once. Keep them in a safe place: they are not
        shown again.
      </p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      {/* Browsers give the clipboard to secure pages only. */}
      {'clipboard' in navigator && (
        <button type="button" className="secondary" onClick={copy}>
          {copied ? 'Copied' : 'Copy the codes'}
        </button>
      )}
      <button type="button" className="primary" onClick={onDone}>
        I have kept them
      </button>
    </>
  )
}
