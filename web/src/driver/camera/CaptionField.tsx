import { useLanguage, useWords } from '../context.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { canDictate, useDictation } from './useDictation.ts'

interface CaptionFieldParts {
  caption: string
  onChange: (caption: string) => void
}

const MAX_CAPTION = 300

/** A caption for the next photos, typed or spoken. */
export function CaptionField({ caption, onChange }: CaptionFieldParts) {
  const words = useWords()
  const dictation = useDictation(useLanguage(), (text) => onChange(text.slice(0, MAX_CAPTION)))
  return (
    <>
      <TextField label={words.caption} value={caption} maxLength={MAX_CAPTION} onValue={onChange} />
      {canDictate() && (
        <Button onClick={dictation.isListening ? dictation.stop : dictation.start}>
          {dictation.isListening ? words.stopListening : words.speakCaption}
        </Button>
      )}
      {dictation.hasFailed && !dictation.isListening && <p role="status">{words.notHeard}</p>}
    </>
  )
}
