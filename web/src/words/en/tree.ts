export const tree = {
  title: 'Nodes',
};
