import { useDay, useWords } from '../context.ts'
import { Frame } from '../ui/Frame.tsx'
import { PageHead } from '../ui/PageHead.tsx'

/** One shift with everything about it. */
export default function ShiftPage({ values }: { values: Record<string, string> }) {
  const words = useWords()
  const shift = useDay()?.shifts.find(({ uid }) => uid === values['uid'])
  return (
    <Frame>
      <PageHead title={shift ? `${words.truck} ${shift.truck.number}` : words.pageMissing} up="/" />
    </Frame>
  )
}
