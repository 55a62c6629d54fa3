/** Whether a name holds every typed word, as the search of the server decides. */
export const isFound = (name: string, typed: string) =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.toLowerCase().includes(word))
