import { useState } from 'react'
import { useWords } from '../../context.ts'
import { Button } from '../../ui/Button.tsx'

/** Copies a text. Browsers give the clipboard to secure pages only. */
export function CopyButton({ text, children }: { text: string; children: string }) {
  const words = useWords()
  const [isCopied, setIsCopied] = useState(false)
  if (!('clipboard' in navigator)) return null
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setIsCopied(true),
      () => setIsCopied(false),
    )
  return (
    <>
      <Button onClick={copy}>{children}</Button>
      <p role="status">{isCopied && words.copied}</p>
    </>
  )
}
