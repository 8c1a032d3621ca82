export const node = {
  title: 'Node',
};
