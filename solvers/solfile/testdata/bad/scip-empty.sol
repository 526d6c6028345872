solution status: optimal
