/** Typed or pasted text as one line: a field that shows several lines of a long text takes breaks, too. */
export const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ')
