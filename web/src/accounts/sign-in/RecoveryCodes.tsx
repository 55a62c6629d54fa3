import { useState } from 'react'
import { words } from './words/index.ts'

/** Recovery codes are shown this once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const [copied, setCopied] = useState(false)
  const copy = () => void navigator.clipboard.writeText(codes.join('\n')).then(() => setCopied(true))
  return (
    <>
      <h1>{words.keepCodes}</h1>
      <p className="lead">{words.keepCodesText}</p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      {/* Browsers give the clipboard to secure pages only. */}
      {'clipboard' in navigator && (
        <button type="button" className="secondary" onClick={copy}>
          {copied ? words.copied : words.copyCodes}
        </button>
      )}
      <button type="button" className="primary" onClick={onDone}>
        {words.codesKept}
      </button>
    </>
  )
}
