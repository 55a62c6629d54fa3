/** Common reasons to reject a photo, by the key that chooses each. */
export const rejections = [
  'Blurry, dark or cut off',
  'The artwork is not visible',
  'Wrong truck, artwork or program',
  'Same as another photo',
  'Shows a person or a plate too closely',
] as const
