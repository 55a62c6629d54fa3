import { useEffect, useEffectEvent, useState } from 'react'
import { SearchInput } from './SearchInput.tsx'

const TYPING_PAUSE_MS = 300

interface SearchBoxProps {
  label: string
  value: string
  onChange: (value: string) => void
}

/** A search that runs when the typing pauses, and follows the address when Back changes it. */
export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const [followed, setFollowed] = useState(value)
  if (value !== followed) {
    setFollowed(value)
    // The answer to one's own typing must not undo what was typed since.
    if (value !== text.trim()) setText(value)
  }

  const search = useEffectEvent((typed: string) => {
    if (typed !== value) onChange(typed)
  })
  useEffect(() => {
    const timer = setTimeout(() => search(text.trim()), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])

  return <SearchInput label={label} value={text} onChange={setText} />
}
